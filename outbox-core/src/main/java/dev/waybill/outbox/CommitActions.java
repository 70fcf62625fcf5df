package dev.waybill.outbox;

/**
 * The connection of a transaction that runs actions once it has committed; a consumer gives its handlers one. {@link
 * Outbox#append(java.sql.Connection, OutboxMessage)} and {@link Outbox#append(org.jooq.DSLContext, OutboxMessage)} find it,
 * so that relays are told of the commit.
 */
@FunctionalInterface
public interface CommitActions {
    /**
     * Runs an action once the transaction has committed, and never if it rolls back. The same object is the same action,
     * which runs once. Its failure reaches neither the transaction nor its caller.
     */
    void afterCommit(CurrentTransaction.AfterCommit action);
}
