package dev.waybill.standalone.cli;

import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.log.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A verb that changes something, on somebody's word. */
abstract class MutatingCommand extends DatabaseCommand {
    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, for the next person.")
    @SuppressWarnings("NullAway.Init")
    private String reason;

    @Option(names = "--operator", paramLabel = "NAME", description = "Who does it (the user of this machine).")
    private @Nullable String operator;

    @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    final String reason() {
        return reason;
    }

    final boolean isDryRun() {
        return dryRun;
    }

    final AuditContext instruction() {
        return new AuditContext(operator == null ? System.getProperty("user.name", "unknown") : operator, reason);
    }

    /** Lets a person type the name of what is lost. */
    final void confirm(String what, String name) {
        if (yes) {
            return;
        }
        if (!Terminal.isThere()) {
            throw new NotConfirmedException(what + ": nobody is there to confirm it; give --yes if it is meant");
        }
        String typed = Terminal.ask(what + ". Type " + name + " to go on: ");
        if (!name.equals(typed)) {
            throw new NotConfirmedException("Not confirmed; nothing was done");
        }
    }
}
