package dev.waybill.standalone.cli;

import dev.waybill.hold.AuditContext;
import dev.waybill.migrations.Role;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * A verb that changes something, on somebody's word. One that loses something for good, or that changes many
 * things without a filter that narrows them, is confirmed: {@code --yes}, or a person types the id of the one
 * thing or the number of the many.
 */
abstract class MutatingCommand extends DatabaseCommand {
    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "The reason, for the next person; only a dry run needs none.")
    private @Nullable String reason;

    @Option(
            names = {"--operator", "--by"},
            paramLabel = "NAME",
            description = "The person who does it (the user of this machine).")
    private @Nullable String operator;

    @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    final boolean isDryRun() {
        return dryRun;
    }

    final AuditContext instruction() {
        if (reason == null) {
            throw new IllegalArgumentException("Missing option '--reason=TEXT': only a dry run needs none");
        }
        return new AuditContext(operator == null ? System.getProperty("user.name", "unknown") : operator, reason);
    }

    @Override
    @Nullable Role role() {
        return Role.OPERATOR;
    }

    // Before anybody is asked to confirm.
    @Override
    final void check() {
        if (!dryRun) {
            instruction();
        }
        checkArguments();
    }

    /** Refuses arguments that cannot be meant, before the database is asked. */
    void checkArguments() {}

    /** Confirms a change of one thing: a person types its id. */
    final void confirmOne(String question, String id) {
        confirm(question, id);
    }

    /** Confirms a change of many things: a person types how many. */
    final void confirmMany(String question, long count) {
        confirm(count + " " + question, Long.toString(count));
    }

    private void confirm(String question, String answer) {
        Confirmation.ask(yes, question, answer);
    }
}
