package dev.waybill.outbox;

/**
 * A transaction's connection that runs actions after the commit; consumers give one to their handlers.
 * {@link Outbox#append(java.sql.Connection, OutboxMessage)} and {@link Outbox#append(org.jooq.DSLContext, OutboxMessage)} use
 * it to wake relays.
 */
@FunctionalInterface
public interface CommitActions {
    /**
     * Runs an action once after the commit, and never after a rollback. Equal objects are one action. A failure of the action
     * reaches neither the transaction nor its caller.
     */
    void afterCommit(CurrentTransaction.AfterCommit action);
}
