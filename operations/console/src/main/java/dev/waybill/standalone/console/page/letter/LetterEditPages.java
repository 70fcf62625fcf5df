package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.EditView;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import dev.waybill.standalone.console.page.form.MessageEdit;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.Map;
import java.util.NoSuchElementException;

/** Edits a dead letter, with a preview. */
final class LetterEditPages {
    private final SignIn.Render render;
    private final ContentMask mask;

    LetterEditPages(SignIn.Render render, ContentMask mask) {
        this.mask = mask;
        this.render = render;
    }

    void register(Routes routes) {
        routes.page("/dead-letter/edit", ConsoleRole.OPERATOR, this::form);
        routes.change("/dead-letter/edit/preview", ConsoleRole.OPERATOR, this::preview);
        routes.change("/dead-letter/edit", ConsoleRole.OPERATOR, this::save);
    }

    private void form(Context request, SignedInRequest visit, Database database) {
        DeadLetter letter = editable(request, DeadLetters.in(database.viewers(), database.schema()));
        view(database, letter).form(request, render, letter.content());
    }

    // A POST without a change, because a body exceeds an address.
    private void preview(Context request, SignedInRequest visit, Database database) {
        var letters = DeadLetters.in(database.viewers(), database.schema());
        DeadLetter letter = editable(request, letters);
        Map<String, String> typed = new MessageEdit(letter.content(), mask).typed(request);
        String refusal = "";
        try {
            letters.preview(letter.id(), now -> new MessageEdit(now, mask).changed(typed));
        } catch (IllegalArgumentException | NoSuchElementException e) {
            refusal = String.valueOf(e.getMessage());
        }
        view(database, letter).preview(request, render, letter.content(), typed, refusal);
    }

    private void save(Context request, SignedInRequest visit, Database database) {
        AuditContext instruction = Forms.instruction(request, visit);
        var letters = DeadLetters.in(database.operators(), database.schema());
        DeadLetter letter = LetterPage.letter(letters, LetterPage.id(Forms.parameter(request, "id")));
        boolean same = mark(letter).equals(Forms.field(request, "seen"));
        boolean changed = same && saved(request, letters, letter, instruction);
        request.redirect(
                address(database, letter.id()) + "&done=" + (changed ? "letter-edited" : "letter-changed"),
                HttpStatus.SEE_OTHER);
    }

    private boolean saved(Context request, DeadLetters letters, DeadLetter letter, AuditContext instruction) {
        Map<String, String> typed = new MessageEdit(letter.content(), mask).typed(request);
        String seen = MessageEdit.digest(letter.content());
        try {
            return !letters.edit(letter.id(), now -> MessageEdit.changed(now, seen, typed, mask), instruction)
                    .isEmpty();
        } catch (NoSuchElementException e) {
            return false;
        } catch (IllegalArgumentException e) {
            throw new Refusal(409, String.valueOf(e.getMessage()) + ".");
        }
    }

    private static DeadLetter editable(Context request, DeadLetters letters) {
        DeadLetter letter = LetterPage.letter(letters, LetterPage.id(Forms.parameter(request, "id")));
        boolean waits = letter.state() == DeadLetter.State.OPEN || letter.state() == DeadLetter.State.QUARANTINED;
        if (!waits || letter.lifecycle().emptied() != null) {
            throw new Refusal(409, "Only an open or quarantined dead letter that has its content can be edited.");
        }
        return letter;
    }

    private EditView view(Database database, DeadLetter letter) {
        return new EditView(
                "dead letter " + letter.id(),
                new EditView.Way(
                        address(database, letter.id()),
                        "/dead-letter/edit",
                        "db=" + Formats.INSTANCE.url(database.name()) + "&id=" + letter.id()),
                mark(letter),
                mask);
    }

    private static String mark(DeadLetter letter) {
        return LetterPage.mark(letter) + " " + MessageEdit.digest(letter.content());
    }

    private static String address(Database database, long id) {
        return "/dead-letter?db=" + Formats.INSTANCE.url(database.name()) + "&id=" + id;
    }
}
