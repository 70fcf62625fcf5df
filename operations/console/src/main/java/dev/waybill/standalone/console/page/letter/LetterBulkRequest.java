package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedrivePlan;
import dev.waybill.deadletter.RedriveRefusedException;
import dev.waybill.deadletter.Redrives;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.page.form.Forms;
import io.javalin.http.Context;
import java.util.Optional;

/** A change of many dead letters with its filter and options. Immutable. */
public final class LetterBulkRequest {
    private final LetterBulkAction deed;
    private final LetterFilter filter;
    private final LetterBulkOptions options;

    private LetterBulkRequest(LetterBulkAction deed, LetterFilter filter, LetterBulkOptions options) {
        this.deed = deed;
        this.filter = filter;
        this.options = options;
    }

    public static LetterBulkRequest of(Context request) {
        LetterBulkAction deed = LetterBulkAction.of(Forms.parameter(request, "deed"));
        LetterFilter filter = LetterFilter.of(request);
        if (!deed.isPossibleFrom(filter.state())) {
            throw new Refusal(
                    400,
                    "What is " + LettersPage.word(filter.state()) + " cannot have this done to it: " + deed.label()
                            + ".");
        }
        LetterBulkOptions options = LetterBulkOptions.of(request);
        options.fields();
        return new LetterBulkRequest(deed, filter, options);
    }

    /** The result: whether the letters were unchanged, how many were changed, and the re-drive run to start. */
    public record Outcome(boolean asSeen, int changed, Optional<Long> redrive) {}

    LetterBulkAction deed() {
        return deed;
    }

    LetterFilter filter() {
        return filter;
    }

    LetterBulkOptions options() {
        return options;
    }

    /** Whether it only writes a file. */
    public boolean isExport() {
        return deed == LetterBulkAction.EXPORT;
    }

    public String query() {
        return "deed=" + deed.word() + "&" + filter.query() + "&" + options.query();
    }

    DeadLetterFilter letters() {
        return deed.among(filter.filter());
    }

    boolean asksForTheNumber() {
        return !isExport() && (deed.isFinal() || !filter.isNarrowed());
    }

    /** The current letters of the filter. */
    public DeadLetters.Part part(Database database) {
        return DeadLetters.in(database.viewers(), database.schema()).part(letters(), deed.most());
    }

    public DeadLetterFilter chosen(DeadLetters.Part seen) {
        return seen.of(letters());
    }

    /** The re-drive plan; empty for other changes. */
    public Optional<RedrivePlan> plan(DeadLetters.Part seen, Database database) {
        return deed == LetterBulkAction.REDRIVE
                ? Optional.of(Redrives.in(database.viewers(), database.schema()).plan(chosen(seen), options.order()))
                : Optional.empty();
    }

    // More letters than in the preview: a transaction was in progress, or the form is forged.
    boolean isAsSeen(DeadLetters.Part seen, DeadLetters letters) {
        DeadLetters.Part there = letters.part(chosen(seen), deed.most());
        return there.count() > 0 && there.count() <= seen.count() && !there.more();
    }

    /** Changes the previewed letters if they are unchanged. */
    public Outcome apply(DeadLetters.Part seen, AuditContext instruction, Database database) {
        if (!isAsSeen(seen, DeadLetters.in(database.operators(), database.schema()))) {
            return new Outcome(false, 0, Optional.empty());
        }
        return deed == LetterBulkAction.REDRIVE
                ? new Outcome(true, 0, begun(seen, instruction, database))
                : new Outcome(true, changed(seen, instruction, database), Optional.empty());
    }

    private int changed(DeadLetters.Part seen, AuditContext instruction, Database database) {
        try {
            return deed.apply(database, chosen(seen), options, instruction);
        } catch (IllegalStateException e) {
            throw new Refusal(409, String.valueOf(e.getMessage()));
        }
    }

    private Optional<Long> begun(DeadLetters.Part seen, AuditContext instruction, Database database) {
        try {
            return Redrives.in(database.operators(), database.schema())
                    .beginOnce(chosen(seen), options.order(), instruction, seen.at());
        } catch (RedriveRefusedException e) {
            throw new Refusal(409, String.valueOf(e.getMessage()));
        }
    }
}
