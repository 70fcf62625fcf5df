package dev.waybill.standalone.console.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.deadletter.ContentMask;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.AuditEntry;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldBusyException;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.schema.Page;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.hold.HoldVersion;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Holds of outbox and inbox, and changes of one hold. */
final class HoldsApi {
    private static final int MESSAGES = 20;

    private final ContentMask mask;

    HoldsApi(ContentMask mask) {
        this.mask = mask;
    }

    void register(ApiRoutes routes) {
        routes.get("/holds", this::list);
        routes.get("/holds/{id}", this::show);
        routes.post(
                "/holds/{id}/release",
                (request, visit, database) -> change(request, visit, database, List.of("reason"), this::release));
        routes.post(
                "/holds/{id}/retry",
                (request, visit, database) ->
                        change(request, visit, database, List.of("reason", "afterSeconds"), this::retry));
        routes.post(
                "/holds/{id}/skip",
                (request, visit, database) ->
                        change(request, visit, database, List.of("reason", "place", "message"), this::skip));
    }

    private void list(Context request, SignedInRequest visit, Database database) {
        long after = Requests.number(Requests.text(request, "after").orElse("0"));
        Page<Hold> page = holds(database.viewers(), database, request).page(after, Requests.most(request));
        Json.answer(
                request, Json.row("holds", page.rows().stream().map(this::row).toList(), "more", page.more()));
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        Holds holds = holds(database.viewers(), database, request);
        Hold hold = holds.show(Requests.id(request)).orElseThrow(() -> new Refusal(404, "There is no such hold."));
        request.header("ETag", Requests.tag(HoldVersion.of(hold, holds.history(hold.key()))));
        Json.answer(
                request,
                Json.row(
                        "hold",
                        row(hold),
                        "messages",
                        holds.messages(hold.key(), 0, MESSAGES).stream()
                                .map(this::row)
                                .toList(),
                        "history",
                        holds.history(hold.key()).stream()
                                .map(each -> Json.row(
                                        "at", each.at(),
                                        "action", each.action(),
                                        "operator", each.instruction().operator(),
                                        "reason", each.instruction().reason()))
                                .toList()));
    }

    @FunctionalInterface
    private interface Change {
        void apply(Holds holds, Hold hold, JsonNode order, AuditContext instruction);
    }

    private void release(Holds holds, Hold hold, JsonNode order, AuditContext instruction) {
        holds.release(hold.key(), instruction);
    }

    private void retry(Holds holds, Hold hold, JsonNode order, AuditContext instruction) {
        long seconds = order.has("afterSeconds") ? Requests.whole(order, "afterSeconds") : 0;
        if (seconds < 0 || seconds > Duration.ofDays(365).toSeconds()) {
            throw new Refusal(400, "afterSeconds is 0 to a year.");
        }
        holds.retry(hold.key(), Duration.ofSeconds(seconds), instruction);
    }

    // It deletes a message, so the request must name it.
    private void skip(Holds holds, Hold hold, JsonNode order, AuditContext instruction) {
        long place = Requests.whole(order, "place");
        Optional<HeldMessage> message = holds.messages(hold.key(), place - 1, 1).stream()
                .filter(each -> each.place() == place)
                .findFirst();
        if (message.isEmpty()) {
            throw Requests.changed();
        }
        if (!message.get().content().messageId().equals(order.path("message").asText())) {
            throw new Refusal(400, "Nothing was skipped: the message at this place has another id.");
        }
        holds.skip(hold.key(), place, instruction);
    }

    private void change(
            Context request, SignedInRequest visit, Database database, List<String> members, Change change) {
        JsonNode order = Json.read(request, members);
        AuditContext instruction = Requests.instruction(order, visit);
        String seen = Requests.seen(request);
        Holds holds = holds(database.operators(), database, request);
        Hold hold = holds.show(Requests.id(request))
                .filter(each -> isSeen(each, holds.history(each.key()), seen))
                .orElseThrow(Requests::changed);
        try {
            change.apply(holds.provided((now, history) -> isSeen(now, history, seen)), hold, order, instruction);
        } catch (HoldBusyException e) {
            throw new Refusal(409, "Nothing was changed: an attempt is running.");
        } catch (NoSuchElementException e) {
            throw Requests.changed();
        }
        Json.answer(
                request, Json.row("changed", true, "hold", holds.show(hold.id()).map(this::row)));
    }

    private static boolean isSeen(Hold hold, List<AuditEntry> history, String seen) {
        return Requests.tag(HoldVersion.of(hold, history)).equals(seen);
    }

    private static Holds holds(DataSource pool, Database database, Context request) {
        return side(request) == HoldSide.OUTBOX
                ? Holds.ofOutbox(pool, database.schema())
                : InboxHolds.in(pool, database.schema());
    }

    static HoldSide side(Context request) {
        return switch (Requests.text(request, "side").orElse("outbox")) {
            case "outbox" -> HoldSide.OUTBOX;
            case "inbox" -> HoldSide.INBOX;
            default -> throw new Refusal(400, "A hold is of the outbox or of the inbox.");
        };
    }

    private Map<String, @Nullable Object> row(Hold hold) {
        return Json.row(
                "id", hold.id(),
                "side", hold.key().side() == HoldSide.OUTBOX ? "outbox" : "inbox",
                "scope", hold.key().scope(),
                "session", hold.key().session(),
                "message", hold.key().message(),
                "state", hold.state(),
                "messages", hold.messages(),
                "attempts", hold.attempts(),
                "running", hold.attemptRunning(),
                "heldAt", hold.heldAt(),
                "dueAt", hold.dueAt(),
                "reason", hold.cause().reason(),
                "description", Json.shown(mask, "description", hold.cause().description()));
    }

    private Map<String, @Nullable Object> row(HeldMessage message) {
        return Json.row(
                "place", message.place(),
                "message", message.content().messageId(),
                "subject", Json.shown(mask, "subject", message.content().subject()),
                "bytes", message.content().body().length,
                "since", message.origin().time(),
                "deliveries", message.origin().deliveries());
    }
}
