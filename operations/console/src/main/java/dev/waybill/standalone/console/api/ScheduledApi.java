package dev.waybill.standalone.console.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.deadletter.ContentMask;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.database.ScheduledMessages;
import dev.waybill.standalone.database.ScheduledMessages.Message;
import dev.waybill.standalone.database.ScheduledMessages.Place;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists and cancels scheduled messages. */
final class ScheduledApi {
    private final ContentMask mask;

    ScheduledApi(ContentMask mask) {
        this.mask = mask;
    }

    void register(ApiRoutes routes) {
        routes.get("/scheduled", this::list);
        routes.get("/scheduled/{id}", this::show);
        routes.post("/scheduled/{id}/cancel", this::cancel);
    }

    private void list(Context request, SignedInRequest visit, Database database) {
        int most = Requests.most(request);
        List<Message> found = ScheduledMessages.in(database.viewers(), database.schema())
                .next(
                        Requests.text(request, "destination"),
                        Requests.text(request, "behind")
                                .map(ScheduledApi::place)
                                .orElse(null),
                        most + 1);
        boolean more = found.size() > most;
        List<Message> shown = more ? found.subList(0, most) : found;
        Json.answer(
                request,
                Json.row(
                        "messages",
                        shown.stream().map(this::row).toList(),
                        "behind",
                        more
                                ? shown.get(most - 1).dueAt() + "~"
                                        + shown.get(most - 1).id()
                                : null));
    }

    private static Place place(String text) {
        String[] parts = text.split("~", 2);
        try {
            return new Place(
                    OffsetDateTime.parse(parts[0]).toInstant(), Long.parseLong(parts.length == 2 ? parts[1] : ""));
        } catch (DateTimeException | NumberFormatException e) {
            throw Requests.noPlace();
        }
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        Message message = ScheduledMessages.in(database.viewers(), database.schema())
                .find(Requests.id(request))
                .orElseThrow(
                        () -> new Refusal(404, "The message is no longer scheduled: it is due, or it was cancelled."));
        request.header("ETag", Requests.tag(message.mark()));
        Json.answer(request, row(message));
    }

    // It deletes a message, so the request must name it.
    private void cancel(Context request, SignedInRequest visit, Database database) {
        JsonNode order = Json.read(request, List.of("reason", "message"));
        AuditContext instruction = Requests.instruction(order, visit);
        String seen = Requests.seen(request);
        var scheduled = ScheduledMessages.in(database.operators(), database.schema());
        Optional<Message> message = scheduled
                .find(Requests.id(request))
                .filter(each -> Requests.tag(each.mark()).equals(seen));
        if (message.isEmpty()) {
            throw Requests.changed();
        }
        if (!message.get().about().messageId().equals(order.path("message").asText())) {
            throw new Refusal(400, "Nothing was cancelled: the message has another id.");
        }
        if (!scheduled.cancel(message.get().id(), message.get().mark(), instruction)) {
            throw Requests.changed();
        }
        Json.answer(request, Json.row("changed", true));
    }

    private Map<String, @Nullable Object> row(Message message) {
        return Json.row(
                "id", message.id(),
                "destination", message.about().destination(),
                "message", message.about().messageId(),
                "session", message.about().session(),
                "subject", Json.shown(mask, "subject", message.about().subject()),
                "dueAt", message.dueAt(),
                "bytes", message.bytes());
    }
}
