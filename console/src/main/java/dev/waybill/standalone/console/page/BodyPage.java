package dev.waybill.standalone.console.page;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.standalone.config.ConsoleSettings;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.Visit;
import dev.waybill.standalone.log.AuditLog;
import dev.waybill.standalone.message.BodyText;
import dev.waybill.standalone.message.LetterBody;
import io.javalin.http.Context;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The beginning of a body of a dead letter or a held message: as text, as JSON or as bytes. */
final class BodyPage {
    /** Of a hold, one at a time: each may have a large body. */
    private static final int MOST_HELD = 50;

    private final SignIn.Render render;
    private final int limit;
    private final ContentMask mask;

    BodyPage(SignIn.Render render, ConsoleSettings.Messages messages) {
        this.render = render;
        this.limit = messages.bodyLimit();
        this.mask = messages.mask();
    }

    void register(Routes routes) {
        routes.page("/body", ConsoleRole.OPERATOR, this::show);
    }

    /**
     * A body, or the reason why there is none.
     *
     * @param of whose body it is, in words
     * @param address what leads there
     * @param body null if there is none
     * @param missing why there is none
     */
    private record Found(
            String of, String address, @Nullable BodyText body, String missing) {}

    private void show(Context request, Visit visit, Database database) throws SQLException {
        String letter = Forms.parameter(request, "letter");
        Found found = letter.isEmpty() ? held(request, database) : letter(letter, database);
        BodyText body = found.body;
        List<String> forms = body == null ? List.of() : forms(body);
        String as = Forms.parameter(request, "as");
        String form = forms.contains(as) ? as : forms.isEmpty() ? "" : forms.get(0);
        if (body != null) {
            AuditLog.tell(
                    "The body of " + found.of + " in " + database.settings() + " was shown in the console",
                    visit.person().name(),
                    "looked at");
        }
        var model = new HashMap<String, Object>(Map.of(
                "masked",
                mask.hidesInBodies(),
                "of",
                found.of,
                "address",
                found.address,
                "missing",
                found.missing,
                "size",
                body == null ? "" : body.size(),
                "forms",
                forms,
                "form",
                form,
                "text",
                body == null ? "" : String.join("\n", lines(body, form))));
        render.page(request, "body", model);
    }

    private static List<String> forms(BodyText body) {
        var forms = new ArrayList<String>();
        if (!body.jsonLines().isEmpty()) {
            forms.add("json");
        }
        if (body.isText()) {
            forms.add("text");
        }
        forms.add("bytes");
        return forms;
    }

    private static List<String> lines(BodyText body, String form) {
        return switch (form) {
            case "json" -> body.jsonLines();
            case "text" -> body.textLines();
            default -> body.dump();
        };
    }

    private Found letter(String id, Database database) throws SQLException {
        if (!id.matches("[0-9]{1,18}")) {
            throw new Refusal(400, "A dead letter has a number.");
        }
        DeadLetter letter = DeadLetters.in(database.viewers(), database.schema())
                .show(Long.parseLong(id))
                .orElseThrow(() -> new Refusal(404, "There is no dead letter " + id + "."));
        Optional<String> missing = LetterBody.missing(letter);
        return missing.isPresent()
                ? new Found("dead letter " + id, "letter=" + id, null, missing.get())
                : shown(
                        "dead letter " + id,
                        "letter=" + id,
                        LetterBody.bytes(database.viewers(), database.schema(), letter),
                        letter.content().contentType());
    }

    private Found held(Context request, Database database) {
        String scope = Forms.parameter(request, "scope");
        String message = Forms.parameter(request, "message");
        String session = Forms.parameter(request, "session");
        String address = "scope=" + Shown.INSTANCE.url(scope) + "&message=" + Shown.INSTANCE.url(message) + "&session="
                + Shown.INSTANCE.url(session);
        if (scope.isEmpty() || message.isEmpty()) {
            throw new Refusal(400, "Whose body? Come here from a message's journey.");
        }
        String of = "held message " + message + " of " + scope;
        return held(database, new HoldKeys(scope, message, session))
                .map(held ->
                        shown(of, address, held.content().body(), held.content().contentType()))
                .orElseGet(
                        () -> new Found(of, address, null, "It is not held any more, or too many are held before it."));
    }

    // Of the whole body, before it is cut: half of a document is no JSON.
    private Found shown(String of, String address, byte[] body, @Nullable String contentType) {
        return mask.body(body)
                .map(shown -> new Found(of, address, new BodyText(shown, contentType, limit), ""))
                .orElseGet(
                        () -> new Found(
                                of,
                                address,
                                null,
                                "It is not shown: console.redact hides it, or parts that nobody can find in a body that is no JSON."));
    }

    /** The holds that it may be in: that of its session, or its own. */
    private record HoldKeys(String scope, String message, String session) {
        List<HoldKey> on(HoldSide side) {
            var keys = new ArrayList<HoldKey>();
            if (!session.isEmpty()) {
                keys.add(HoldKey.session(side, scope, session));
            }
            keys.add(new HoldKey(side, scope, session.isEmpty() ? null : session, message));
            return keys;
        }
    }

    private static Optional<HeldMessage> held(Database database, HoldKeys keys) {
        for (HoldSide side : HoldSide.values()) {
            Holds holds = side == HoldSide.OUTBOX
                    ? Holds.ofOutbox(database.viewers(), database.schema())
                    : InboxHolds.in(database.viewers(), database.schema());
            for (HoldKey key : keys.on(side)) {
                Optional<HeldMessage> found = among(holds, key, keys.message);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<HeldMessage> among(Holds holds, HoldKey key, String message) {
        long after = 0;
        for (int i = 0; i < MOST_HELD; i++) {
            List<HeldMessage> next = holds.messages(key, after, 1);
            if (next.isEmpty() || next.get(0).content().messageId().equals(message)) {
                return next.stream().findFirst();
            }
            after = next.get(0).place();
        }
        return Optional.empty();
    }
}
