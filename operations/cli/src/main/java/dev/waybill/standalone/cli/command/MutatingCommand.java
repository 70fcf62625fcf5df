package dev.waybill.standalone.cli.command;

import dev.waybill.hold.AuditContext;
import dev.waybill.migrations.Role;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/**
 * A verb that changes something, on somebody's word. One that loses something for good, or that changes many
 * things without a filter that narrows them, is confirmed: {@code --yes}, or a person types the id of the one
 * thing or the number of the many.
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

    // Before anybody is asked to confirm.
    @Override
    public final void check() {
        change.requireReason();
        checkArguments();
    }

    /** Refuses arguments that cannot be meant, before the database is asked. */
    protected void checkArguments() {}

    /** Confirms a change of one thing: a person types its id. */
    protected final void confirmOne(String question, String id) {
        change.confirm(question, id);
    }

    /** Confirms a change of many things: a person types how many. */
    protected final void confirmMany(String question, long count) {
        change.confirm(count + " " + question, Long.toString(count));
    }
}
