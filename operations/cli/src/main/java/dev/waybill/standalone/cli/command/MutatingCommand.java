package dev.waybill.standalone.cli.command;

import dev.waybill.hold.AuditContext;
import dev.waybill.migrations.Role;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/**
 * A verb that changes something. A destructive change, or one of many items without a filter, needs a confirmation: {@code
 * --yes}, or the typed id or number of items.
 */
public abstract class MutatingCommand extends DatabaseCommand {
    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    protected final boolean isDryRun() {
        return change.isDryRun();
    }

    protected final AuditContext instruction() {
        return change.instruction();
    }

    @Override
    public @Nullable Role role() {
        return Role.OPERATOR;
    }

    // Runs before the confirmation.
    @Override
    public final void check() {
        change.requireReason();
        checkArguments();
    }

    /** Rejects invalid arguments before the connection. */
    protected void checkArguments() {}

    protected final void confirmOne(String question, String id) {
        change.confirm(question, id);
    }

    protected final void confirmMany(String question, long count) {
        change.confirm(count + " " + question, Long.toString(count));
    }
}
