package dev.waybill.standalone.cli.deadletter;

import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.MutatingCommand;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.cli.deadletter.DeadLetterChoice.States;
import dev.waybill.standalone.config.DatabaseSettings;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import picocli.CommandLine.Mixin;

/** Changes many dead letters: counts them, asks for a confirmation if needed, and skips letters that arrive or change later. */
abstract class DlqBulkCommand extends MutatingCommand {
    @Mixin
    private DeadLetterChoice choice = new DeadLetterChoice();

    private final String done;
    private final States states;

    /**
     * A change.
     *
     * @param done the participle for the output
     * @param states the source states
     */
    DlqBulkCommand(String done, States states) {
        this.done = done;
        this.states = states;
    }

    @Override
    protected final int run(DatabaseSettings settings, DataSource pool) {
        choice.requireEntity(configuration(), settings, pool);
        DeadLetters deadLetters = DeadLetters.in(pool, settings.schema());
        Optional<String> missing = choice.missing(deadLetters);
        missing.ifPresent(this::warn);
        DeadLetterFilter filter = deadLetters.asOfNow(filter());
        long found = deadLetters.count(filter);
        Map<String, Object> answer = Output.row("found", found, done, 0);
        long elsewhere =
                asksTheArchive() ? DeadLetterArchive.in(pool, settings.schema()).elsewhere(filter) : 0;
        if (asksTheArchive()) {
            answer.put("elsewhere", elsewhere);
        }
        if (!isDryRun() && found > 0) {
            if (isFinal() || !isNarrowed()) {
                confirmMany("dead letters are " + done, found);
            }
            answer.put(done, apply(settings, pool, filter));
        }
        describe(answer);
        output().object(answer);
        if (elsewhere > 0) {
            output().say(elsewhere + " have their documents in an archive outside this database, which this command"
                    + " does not reach; use the application that has it.");
        }
        Optional<String> unknown = found == 0 ? choice.unknown(deadLetters) : Optional.empty();
        unknown.ifPresent(this::warn);
        if (unknown.isPresent()) {
            return ExitCode.NOT_FOUND;
        }
        return elsewhere > 0 || missing.isPresent() || isIncomplete() ? ExitCode.WARNINGS : ExitCode.OK;
    }

    @Override
    protected void checkArguments() {
        filter();
    }

    /** The selection, without a time limit. */
    DeadLetterFilter filter() {
        return choice.deliberate(isNarrowed(), states);
    }

    boolean isNarrowed() {
        return choice.isNarrowed();
    }

    /** Whether the change is destructive and always needs a confirmation. */
    boolean isFinal() {
        return false;
    }

    /** Whether it changes archived documents, some of which may be in an archive elsewhere. */
    boolean asksTheArchive() {
        return false;
    }

    /** Applies the change; returns the number of letters. */
    abstract int apply(DatabaseSettings settings, DataSource pool, DeadLetterFilter filter);

    /** Adds fields to the result. */
    void describe(Map<String, Object> answer) {}

    /** Whether some selected letters were not changed. */
    boolean isIncomplete() {
        return false;
    }
}
