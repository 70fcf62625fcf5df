package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import dev.waybill.standalone.console.page.form.SelectedIds;
import io.javalin.http.Context;
import java.util.List;
import java.util.Locale;

/** A filter of dead letters, kept in the address for links. */
record LetterFilter(
        DeadLetter.State state, String entity, String reason, String session, String message, List<Long> ids) {
    static LetterFilter of(Context request) {
        String state = Forms.parameter(request, "state");
        return new LetterFilter(
                state.isEmpty() ? DeadLetter.State.OPEN : state(state),
                Forms.parameter(request, "entity"),
                Forms.parameter(request, "reason"),
                Forms.parameter(request, "session"),
                Forms.parameter(request, "message"),
                SelectedIds.of(Forms.parameter(request, "ids"), "Dead letters"));
    }

    /** Restricts the filter to these letters. */
    LetterFilter ticked(List<String> numbers) {
        return new LetterFilter(
                state, entity, reason, session, message, SelectedIds.of(String.join(".", numbers), "Dead letters"));
    }

    private static DeadLetter.State state(String word) {
        try {
            return DeadLetter.State.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, "A dead letter is open, quarantined, redriven, discarded or archived.");
        }
    }

    DeadLetterFilter filter() {
        DeadLetterFilter filter = (ids.isEmpty() ? DeadLetterFilter.everything() : DeadLetterFilter.ids(ids)).in(state);
        filter = entity.isEmpty() ? filter : filter.entity(entity);
        filter = reason.isEmpty() ? filter : filter.reason(reason);
        filter = session.isEmpty() ? filter : filter.session(session);
        return message.isEmpty() ? filter : filter.messageId(message);
    }

    /** Whether it has a filter besides the state. */
    public boolean isNarrowed() {
        return !(entity + reason + session + message).isEmpty() || !ids.isEmpty();
    }

    /** Whether an index serves the filter. */
    boolean isIndexed() {
        return !(session + message).isEmpty() || !ids.isEmpty();
    }

    public String query() {
        return "state=" + state.name().toLowerCase(Locale.ROOT) + "&entity=" + url(entity) + "&reason=" + url(reason)
                + "&session=" + url(session) + "&message=" + url(message) + "&ids="
                + SelectedIds.text(ids);
    }

    private static String url(String text) {
        return Formats.INSTANCE.url(text);
    }
}
