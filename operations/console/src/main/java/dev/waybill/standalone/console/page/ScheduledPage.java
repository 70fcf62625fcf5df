package dev.waybill.standalone.console.page;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import dev.waybill.standalone.database.ScheduledMessages;
import dev.waybill.standalone.database.ScheduledMessages.Message;
import dev.waybill.standalone.database.ScheduledMessages.Place;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists and cancels scheduled messages. */
final class ScheduledPage {
    private static final int ROWS = 50;

    private final SignIn.Render render;
    private final ContentMask mask;

    ScheduledPage(SignIn.Render render, ContentMask mask) {
        this.mask = mask;
        this.render = render;
    }

    void register(Routes routes) {
        routes.page("/scheduled", ConsoleRole.VIEWER, this::list);
        routes.page("/scheduled-message", ConsoleRole.VIEWER, this::show);
        routes.change("/scheduled-message/cancel", ConsoleRole.OPERATOR, this::cancel);
    }

    private void list(Context request, SignedInRequest visit, Database database) {
        String destination = Forms.parameter(request, "destination").strip();
        @Nullable Place after = place(Forms.parameter(request, "after"));
        List<Message> found = ScheduledMessages.in(database.viewers(), database.schema())
                .next(Optional.of(destination).filter(each -> !each.isEmpty()), after, ROWS + 1);
        boolean more = found.size() > ROWS;
        List<Message> shown = more ? found.subList(0, ROWS) : found;
        render.page(
                request,
                "scheduled",
                Map.of(
                        "mask",
                        mask,
                        "destination",
                        destination,
                        "messages",
                        shown,
                        "first",
                        after == null,
                        "next",
                        more ? text(shown.get(ROWS - 1)) : ""));
    }

    private static String text(Message last) {
        return last.dueAt() + "~" + last.id();
    }

    private static @Nullable Place place(String text) {
        if (text.isEmpty()) {
            return null;
        }
        String[] parts = text.split("~", 2);
        try {
            return new Place(
                    OffsetDateTime.parse(parts[0]).toInstant(), Long.parseLong(parts.length == 2 ? parts[1] : ""));
        } catch (DateTimeException | NumberFormatException e) {
            throw new Refusal(400, "The parameter after must come from an earlier page.");
        }
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        Message message = ScheduledMessages.in(database.viewers(), database.schema())
                .find(Forms.number(Forms.parameter(request, "id")))
                .orElseThrow(
                        () -> new Refusal(404, "The message is no longer scheduled: it is due, or it was cancelled."));
        render.page(
                request,
                "scheduled-message",
                new HashMap<>(Map.of(
                        "mask",
                        mask,
                        "message",
                        message,
                        "mayAct",
                        visit.person().rights().allows(ConsoleRole.OPERATOR, database.name()))));
    }

    // It deletes a message, so a person types its id.
    private void cancel(Context request, SignedInRequest visit, Database database) {
        long id = Forms.number(Forms.field(request, "id"));
        AuditContext instruction = Forms.instruction(request, visit);
        var scheduled = ScheduledMessages.in(database.operators(), database.schema());
        String typed = Forms.field(request, "typed").strip();
        Optional<Message> message = scheduled.find(id);
        if (message.filter(each -> !each.about().messageId().strip().equals(typed))
                .isPresent()) {
            throw new Refusal(400, "Nothing was cancelled: the typed id is not the id of the message.");
        }
        boolean cancelled = message.isPresent() && scheduled.cancel(id, Forms.field(request, "seen"), instruction);
        request.redirect(
                "/scheduled?db=" + Formats.INSTANCE.url(database.name()) + "&done="
                        + (cancelled ? "message-cancelled" : "scheduled-changed"),
                HttpStatus.SEE_OTHER);
    }
}
