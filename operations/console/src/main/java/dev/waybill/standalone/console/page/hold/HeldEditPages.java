package dev.waybill.standalone.console.page.hold;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldBusyException;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.message.MessageContent;
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
import javax.sql.DataSource;

/** Edits a held message, with a preview. */
final class HeldEditPages {
    private final SignIn.Render render;
    private final ContentMask mask;

    HeldEditPages(SignIn.Render render, ContentMask mask) {
        this.mask = mask;
        this.render = render;
    }

    void register(Routes routes) {
        routes.page("/hold/edit", ConsoleRole.OPERATOR, this::form);
        routes.change("/hold/edit/preview", ConsoleRole.OPERATOR, this::preview);
        routes.change("/hold/edit", ConsoleRole.OPERATOR, this::save);
    }

    /** The message that the address names. */
    private record Held(Holds holds, HoldSide side, Hold hold, HeldMessage message) {
        static Held of(Context request, DataSource pool, Database database) {
            HoldSide side = HoldLookup.side(Forms.parameter(request, "side"));
            Holds holds = HoldLookup.holds(pool, database, side);
            Hold hold = HoldLookup.hold(holds, Forms.number(Forms.parameter(request, "id"), ""));
            long place = Forms.number(Forms.parameter(request, "place"), "");
            return holds.messages(hold.key(), place - 1, 1).stream()
                    .filter(message -> message.place() == place)
                    .map(message -> new Held(holds, side, hold, message))
                    .findFirst()
                    .orElseThrow(() -> new Refusal(404, "The message is not in this hold any more."));
        }

        MessageContent content() {
            return message.content();
        }

        String mark() {
            return HoldVersion.of(hold) + " " + MessageEdit.digest(content());
        }

        String query(Database database) {
            return "db=" + Formats.INSTANCE.url(database.name()) + "&side=" + HoldLookup.word(side) + "&id="
                    + hold.id();
        }

        EditView view(Database database, ContentMask mask) {
            return new EditView(
                    "held message " + content().messageId(),
                    new EditView.Way(
                            "/hold?" + query(database), "/hold/edit", query(database) + "&place=" + message.place()),
                    mark(),
                    mask);
        }
    }

    private void form(Context request, SignedInRequest visit, Database database) {
        Held held = Held.of(request, database.viewers(), database);
        held.view(database, mask).form(request, render, held.content());
    }

    // A POST without a change, because a body exceeds an address.
    private void preview(Context request, SignedInRequest visit, Database database) {
        Held held = Held.of(request, database.viewers(), database);
        Map<String, String> typed = new MessageEdit(held.content(), mask).typed(request);
        String refusal = held.hold.attemptRunning() ? "It is being tried at this moment. Try again." : "";
        held.view(database, mask).preview(request, render, held.content(), typed, refusal);
    }

    private void save(Context request, SignedInRequest visit, Database database) {
        AuditContext instruction = Forms.instruction(request, visit);
        Held held = Held.of(request, database.operators(), database);
        boolean same = held.mark().equals(Forms.field(request, "seen"));
        boolean changed = same && saved(request, held, instruction);
        request.redirect(
                "/hold?" + held.query(database) + "&done=" + (changed ? "message-edited" : "hold-changed"),
                HttpStatus.SEE_OTHER);
    }

    private boolean saved(Context request, Held held, AuditContext instruction) {
        Map<String, String> typed = new MessageEdit(held.content(), mask).typed(request);
        String seen = MessageEdit.digest(held.content());
        if (MessageEdit.digest(new MessageEdit(held.content(), mask).changed(typed))
                .equals(seen)) {
            return false;
        }
        try {
            held.holds.edit(
                    held.hold.key(),
                    held.message.place(),
                    now -> MessageEdit.changed(now, seen, typed, mask),
                    instruction);
            return true;
        } catch (HoldBusyException e) {
            throw new Refusal(409, "Nothing was changed: an attempt is running. Try again.");
        } catch (NoSuchElementException e) {
            return false;
        } catch (IllegalArgumentException e) {
            throw new Refusal(409, String.valueOf(e.getMessage()) + ".");
        }
    }
}
