package dev.waybill.standalone.console.page.hold;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldBusyException;
import dev.waybill.hold.HoldGroup;
import dev.waybill.hold.HoldPart;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.schema.Page;
import dev.waybill.standalone.console.access.ConsoleRole;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.access.SignedInRequest;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;

/** Lists holds and changes one of them. */
final class HoldPage {
    private static final int ROWS = 50;
    private static final int GROUPS = 12;
    private static final int GROUPED = 10_000;

    /** Bodies are read with the messages. */
    private static final int MESSAGES = 10;

    private final SignIn.Render render;
    private final ContentMask mask;

    HoldPage(SignIn.Render render, ContentMask mask) {
        this.mask = mask;
        this.render = render;
    }

    public void register(Routes routes) {
        routes.page("/held", ConsoleRole.VIEWER, this::list);
        routes.page("/hold", ConsoleRole.VIEWER, this::show);
        routes.change(
                "/hold/release",
                ConsoleRole.OPERATOR,
                (request, visit, database) -> change(request, visit, database, "hold-released", this::release));
        routes.change(
                "/hold/retry",
                ConsoleRole.OPERATOR,
                (request, visit, database) -> change(request, visit, database, "hold-retried", this::retry));
        routes.change(
                "/hold/skip",
                ConsoleRole.OPERATOR,
                (request, visit, database) -> change(request, visit, database, "message-skipped", this::skip));
    }

    private void list(Context request, SignedInRequest visit, Database database) {
        HeldFilter filter = HeldFilter.of(request);
        long after = Forms.number(Forms.parameter(request, "after"), "0");
        Holds holds = HoldLookup.holds(database.viewers(), database, filter.side());
        Page<Hold> page = holds.page(filter.filter(), after, ROWS);
        HoldPart part = holds.part(filter.filter(), GROUPED);
        Page<HoldGroup> groups = holds.groups(part.untried(filter.filter()), GROUPS);
        var model = new HashMap<String, Object>(Map.of(
                "side", filter.sideWord(),
                "filter", filter,
                "holds", page.rows(),
                "more", page.more(),
                "first", after == 0,
                "next",
                        page.more() == 0
                                ? 0
                                : page.rows().get(page.rows().size() - 1).id(),
                "groups", groups.rows(),
                "otherGroups", groups.more(),
                "grouped", part.more() ? part.count() : 0,
                "deeds", HoldBulkAction.all()));
        model.put("outcome", HoldBulkPage.outcome(request));
        model.put("mayAct", visit.person().rights().allows(ConsoleRole.OPERATOR, database.name()));
        render.page(request, "held", model);
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        HoldSide side = HoldLookup.side(Forms.parameter(request, "side"));
        Holds holds = HoldLookup.holds(database.viewers(), database, side);
        Hold hold = HoldLookup.hold(holds, Forms.number(Forms.parameter(request, "id"), ""));
        long after = Forms.number(Forms.parameter(request, "after"), "0");
        List<HeldMessage> messages = holds.messages(hold.key(), after, MESSAGES + 1);
        boolean more = messages.size() > MESSAGES;
        List<HeldMessage> shown = more ? messages.subList(0, MESSAGES) : messages;
        var model = new HashMap<String, Object>(Map.of(
                "side", HoldLookup.word(side),
                "hold", hold,
                "state", hold.state().name().toLowerCase(Locale.ROOT),
                "messages", shown,
                "next", more ? shown.get(MESSAGES - 1).place() : 0,
                "history", holds.history(hold.key()),
                "seen", HoldVersion.of(hold, holds.history(hold.key())),
                "mayAct", visit.person().rights().allows(ConsoleRole.OPERATOR, database.name())));
        model.put("mask", mask);
        render.page(request, "hold", model);
    }

    /** Changes a hold; false if it differs from what the person saw. */
    @FunctionalInterface
    private interface Change {
        boolean apply(Context request, Holds holds, Hold hold, AuditContext instruction);
    }

    private boolean release(Context request, Holds holds, Hold hold, AuditContext instruction) {
        holds.release(hold.key(), instruction);
        return true;
    }

    private boolean retry(Context request, Holds holds, Hold hold, AuditContext instruction) {
        holds.retry(hold.key(), Duration.ZERO, instruction);
        return true;
    }

    // It deletes a message, so a person types its id.
    private boolean skip(Context request, Holds holds, Hold hold, AuditContext instruction) {
        long place = Forms.number(Forms.field(request, "place"), "");
        String typed = Forms.field(request, "typed").strip();
        List<HeldMessage> there = holds.messages(hold.key(), place - 1, 1);
        if (there.isEmpty() || there.get(0).place() != place) {
            return false;
        }
        if (!there.get(0).content().messageId().strip().equals(typed)) {
            throw new Refusal(400, "Nothing was skipped: the typed id is not the id of the message.");
        }
        holds.skip(hold.key(), place, instruction);
        return true;
    }

    private void change(Context request, SignedInRequest visit, Database database, String done, Change change) {
        HoldSide side = HoldLookup.side(Forms.field(request, "side"));
        long id = Forms.number(Forms.field(request, "id"), "");
        AuditContext instruction = Forms.instruction(request, visit);
        Holds holds = HoldLookup.holds(database.operators(), database, side);
        String seen = Forms.field(request, "seen");
        Holds same =
                holds.provided((hold, history) -> HoldVersion.of(hold, history).equals(seen));
        boolean changed = holds.show(id)
                .filter(hold -> HoldVersion.of(hold, holds.history(hold.key())).equals(seen))
                .filter(hold -> applied(request, same, hold, instruction, change))
                .isPresent();
        String place = "db=" + Formats.INSTANCE.url(database.name()) + "&side=" + HoldLookup.word(side);
        String address = holds.show(id).isPresent() ? "/hold?" + place + "&id=" + id : "/held?" + place;
        request.redirect(address + "&done=" + (changed ? done : "hold-changed"), HttpStatus.SEE_OTHER);
    }

    private static boolean applied(Context request, Holds holds, Hold hold, AuditContext instruction, Change change) {
        try {
            return change.apply(request, holds, hold, instruction);
        } catch (HoldBusyException e) {
            throw new Refusal(409, "Nothing was changed: an attempt is running. Try again.");
        } catch (NoSuchElementException e) {
            return false;
        }
    }
}
