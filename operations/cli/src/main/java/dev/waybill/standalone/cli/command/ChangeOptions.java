package dev.waybill.standalone.cli.command;

import dev.waybill.hold.AuditContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of verbs that change something. */
public final class ChangeOptions {
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

    public boolean isDryRun() {
        return dryRun;
    }

    /** Fails before the confirmation. */
    public void requireReason() {
        if (!dryRun && reason == null) {
            throw new IllegalArgumentException("Missing option '--reason=TEXT': only a dry run needs none");
        }
    }

    public AuditContext instruction() {
        return new AuditContext(
                operator == null ? System.getProperty("user.name", "unknown") : operator,
                reason == null ? "dry run" : reason);
    }

    /**
     * Asks for a confirmation, unless {@code --yes} is given.
     *
     * @param answer the only accepted text
     */
    public void confirm(String question, String answer) {
        Confirmation.ask(yes, question, answer);
    }
}
