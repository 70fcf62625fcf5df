package dev.waybill.standalone.console.page.letter;

import static dev.waybill.deadletter.DeadLetter.State.ARCHIVED;
import static dev.waybill.deadletter.DeadLetter.State.DISCARDED;
import static dev.waybill.deadletter.DeadLetter.State.OPEN;
import static dev.waybill.deadletter.DeadLetter.State.QUARANTINED;
import static dev.waybill.deadletter.DeadLetter.State.REDRIVEN;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The changes of many dead letters, with their source states and labels. */
enum LetterBulkAction {
    REDRIVE("Re-drive", "Copies go out through the outbox, in the order of their sessions, with the same logical ids."),
    DISCARD("Discard", "Nothing more is to happen to them. They can be opened again until they are archived."),
    REOPEN("Open again", "They are open again, for whoever decides anew."),
    QUARANTINE("Let out of quarantine", "They are open again, although re-driving has not helped so far."),
    ARCHIVE("Archive", "Their bodies go to the archive until their time is over."),
    RESTORE("Restore", "They are open again, with their bodies."),
    EXPIRE("Expire", "Those that were kept for their time are removed for good."),
    REDACT(
            "Redact",
            "What they say is taken out for good, here, in former versions and in the archive. They can be neither edited nor re-driven any more."),
    EXPORT("Export", "A file with a line of JSON for each, bodies included.");

    /** Bounds the waiting time of a person. */
    private static final int MOST = 5_000;

    /** The limit for changes that read bodies. */
    private static final int MOST_BODIES = 1_000;

    private static final Set<LetterBulkAction> READING = Set.of(ARCHIVE, RESTORE, EXPIRE, REDACT, EXPORT);

    private final String label;
    private final String what;

    LetterBulkAction(String label, String what) {
        this.label = label;
        this.what = what;
    }

    static LetterBulkAction of(String word) {
        try {
            return valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, "Dead letters do not support this action.");
        }
    }

    static List<LetterBulkAction> from(DeadLetter.State state) {
        return Stream.of(values()).filter(deed -> deed.isPossibleFrom(state)).toList();
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String label() {
        return label;
    }

    /** The effect, in words. */
    public String what() {
        return what;
    }

    private Set<DeadLetter.State> from() {
        return switch (this) {
            case REDRIVE -> Set.of(OPEN);
            case DISCARD -> Set.of(OPEN, QUARANTINED);
            case REOPEN -> Set.of(DISCARDED, REDRIVEN, QUARANTINED);
            case QUARANTINE -> Set.of(QUARANTINED);
            case ARCHIVE -> Set.of(OPEN, QUARANTINED, REDRIVEN, DISCARDED);
            case RESTORE, EXPIRE -> Set.of(ARCHIVED);
            case REDACT, EXPORT -> Set.of(DeadLetter.State.values());
        };
    }

    boolean isPossibleFrom(DeadLetter.State state) {
        return from().contains(state);
    }

    int most() {
        return READING.contains(this) ? MOST_BODIES : MOST;
    }

    /** Whether a person always types the number of letters. */
    boolean isFinal() {
        return this == DISCARD || this == EXPIRE || this == REDACT;
    }

    boolean asksTheArchive() {
        return this == RESTORE || this == EXPIRE || this == REDACT;
    }

    DeadLetterFilter among(DeadLetterFilter filter) {
        return this == EXPIRE ? filter.keptForItsTime() : filter;
    }

    int apply(Database database, DeadLetterFilter filter, LetterBulkOptions options, AuditContext instruction) {
        var letters = DeadLetters.in(database.operators(), database.schema());
        var archive = DeadLetterArchive.in(database.operators(), database.schema());
        return switch (this) {
            case DISCARD -> letters.discard(filter, instruction);
            case REOPEN -> letters.reopen(filter, instruction) + letters.release(filter, instruction);
            case QUARANTINE -> letters.release(filter, instruction);
            case ARCHIVE -> archive.archive(filter, options.keep(), instruction);
            case RESTORE -> archive.restore(filter, instruction);
            case EXPIRE -> archive.expire(filter, instruction);
            case REDACT ->
                options.fields().isEmpty()
                        ? archive.redact(filter, instruction)
                        : archive.redact(filter, options.fields(), instruction).redacted();
            case REDRIVE, EXPORT -> throw new IllegalStateException("Not a change of letters: " + this);
        };
    }
}
