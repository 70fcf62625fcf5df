package dev.waybill.servicebus.embedded;

import dev.waybill.servicebus.embedded.entity.EntitySnapshot;
import java.util.List;

/** How many messages an entity has, wherever it is. */
interface EntityCounts {
    int active();

    int deferred();

    int scheduled();

    int deadLetters();

    int transferDeadLetters();

    /** The state of the entity as only an embedded broker tells it. */
    EntitySnapshot snapshot();

    default int locked() {
        return snapshot().locked();
    }

    default int receivers() {
        return snapshot().receivers();
    }

    default int waitingForSession() {
        return snapshot().waitingForSession();
    }

    default List<EntitySnapshot.SessionView> sessions() {
        return snapshot().sessions();
    }

    default List<EntitySnapshot.LockView> locks() {
        return snapshot().locks();
    }
}
