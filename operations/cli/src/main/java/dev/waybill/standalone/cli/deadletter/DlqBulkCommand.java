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

/**
 * A change of many dead letters: of those that were chosen, counted and, where it has to be, confirmed, and of no
 * letter that has come or changed since.
 */
abstract class DlqBulkCommand extends MutatingCommand {
    @Mixin
    private DeadLetterChoice choice = new DeadLetterChoice();

    private final String done;
    private final States states;

    /**
     * A change.
     *
     * @param done the word for letters that it was made to
     * @param states those that it can be made from
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
        return elsewhere > 0 || missing.isPresent() || isIncomplete() ? ExitCode.WARNINGS : ExitCode.OK;
    }

    @Override
    protected void checkArguments() {
        filter();
    }

    /** The letters, whenever they come. */
    DeadLetterFilter filter() {
        return choice.deliberate(isNarrowed(), states);
    }

    /** Whether the arguments leave any letters out, but by their state. */
    boolean isNarrowed() {
        return choice.isNarrowed();
    }

    /** Whether it loses something, and is confirmed also where a filter narrows it. */
    boolean isFinal() {
        return false;
    }

    /** Whether documents of the archive are changed, some of which may be where this command does not reach. */
    boolean asksTheArchive() {
        return false;
    }

    /** Makes the change; returns to how many. */
    abstract int apply(DatabaseSettings settings, DataSource pool, DeadLetterFilter filter);

    /** Adds to the answer. */
    void describe(Map<String, Object> answer) {}

    /** Whether the change could not be made to some that were chosen. */
    boolean isIncomplete() {
        return false;
    }
}
