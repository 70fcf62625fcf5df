package dev.waybill.relay.destination;

import dev.waybill.hold.AuditContext;
import org.jooq.DSLContext;

/** The audit of what operators do. */
@FunctionalInterface
public interface OperatorActions {
    /**
     * Records an action in the transaction that carries it out.
     *
     * @param action such as {@code pause}
     * @param destination that it was done to
     */
    void record(DSLContext transaction, String action, String destination, AuditContext instruction);
}
