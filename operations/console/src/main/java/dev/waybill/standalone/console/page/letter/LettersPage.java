package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterGroup;
import dev.waybill.deadletter.DeadLetters;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Dead letters in groups by entity and reason, and as pages. */
final class LettersPage {
    private static final int ROWS = 50;
    private static final int COUNTED = 1_000;
    private static final int GROUPS = 12;

    /** Bounds the scan of a page. */
    private static final int LOOKED_AT = 10_000;

    private final SignIn.Render render;
    private final ContentMask mask;

    LettersPage(SignIn.Render render, ContentMask mask) {
        this.mask = mask;
        this.render = render;
    }

    void register(Routes routes) {
        routes.page("/dead-letters", ConsoleRole.VIEWER, this::show);
    }

    record Group(String entity, String reason, long count, Duration oldest) {
        static Group of(DeadLetterGroup group) {
            return new Group(text(group.key().get(0)), text(group.key().get(1)), group.count(), group.oldestAge());
        }

        private static String text(@Nullable String key) {
            return key == null ? "" : key;
        }
    }

    private void show(Context request, SignedInRequest visit, Database database) {
        LetterFilter filter = LetterFilter.of(request);
        var letters = DeadLetters.in(database.viewers(), database.schema());
        DeadLetters.Range stretch = stretch(filter, letters, after(request));
        Page<DeadLetter.Summary> page = letters.page(stretch.filter(), after(request), ROWS, COUNTED);
        Page<Group> groups = letters.groups(
                        stretch.filter(), GROUPS, DeadLetterGroup.By.ENTITY, DeadLetterGroup.By.REASON)
                .map(Group::of);
        var model = new HashMap<String, Object>(Map.of(
                "filter", filter,
                "states",
                        Stream.of(DeadLetter.State.values())
                                .map(LettersPage::word)
                                .toList(),
                "state", word(filter.state()),
                "letters", page.rows(),
                "more", more(page, stretch),
                "next", next(page, stretch),
                "first", after(request) == 0));
        model.put("deeds", LetterBulkAction.from(filter.state()));
        model.put("mayAct", visit.person().rights().allows(ConsoleRole.OPERATOR, database.name()));
        model.put("mask", mask);
        model.put("outcome", outcome(request));
        model.put("groups", groups.rows());
        model.put("grouped", stretch.isLast() ? 0 : LOOKED_AT);
        model.put("otherGroups", groups.more());
        render.page(request, "dead-letters", model);
    }

    // Sessions and ids have an index.
    private static DeadLetters.Range stretch(LetterFilter filter, DeadLetters letters, long after) {
        return filter.isIndexed()
                ? new DeadLetters.Range(filter.filter(), Long.MAX_VALUE, true)
                : letters.range(filter.filter(), after, LOOKED_AT);
    }

    private static long next(Page<DeadLetter.Summary> page, DeadLetters.Range stretch) {
        List<DeadLetter.Summary> rows = page.rows();
        if (page.more() > 0 || (rows.size() == ROWS && !stretch.isLast())) {
            return rows.get(rows.size() - 1).id();
        }
        return stretch.isLast() ? 0 : stretch.last();
    }

    private static String more(Page<?> page, DeadLetters.Range stretch) {
        if (page.rows().size() < ROWS && !stretch.isLast()) {
            return "Not all are looked at yet.";
        }
        boolean all = stretch.isLast() && page.more() < COUNTED;
        return Formats.INSTANCE.number(page.more()) + (all ? "" : " or more") + " come behind these.";
    }

    // The address contains numbers and a word, never a text.
    private static String outcome(Context request) {
        String imported = Forms.parameter(request, "imported");
        if (imported.matches("[0-9]{1,9}")) {
            return imported.equals("0")
                    ? "Nothing was imported: all of them are here already, or are to be forgotten."
                    : imported + " dead letters are imported.";
        }
        String changed = Forms.parameter(request, "changed");
        String of = Forms.parameter(request, "of");
        if (!changed.matches("[0-9]{1,9}") || !of.matches("[0-9]{1,9}")) {
            return "";
        }
        String label = LetterBulkAction.of(Forms.parameter(request, "deed")).label();
        return changed.equals("0")
                ? label + ": nothing was changed. None of the dead letters is any more as you saw it."
                : label + ": done to " + changed + " of " + of + " dead letters."
                        + (changed.equals(of) ? "" : " The others have changed meanwhile or were refused, and stay.");
    }

    static String word(DeadLetter.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static long after(Context request) {
        String after = Forms.parameter(request, "after");
        if (!after.matches("[0-9]{0,18}")) {
            throw new Refusal(400, "The parameter after is a number.");
        }
        return after.isEmpty() ? 0 : Long.parseLong(after);
    }
}
