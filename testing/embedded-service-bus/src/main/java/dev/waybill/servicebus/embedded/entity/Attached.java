package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.Refused;

/** A client's link to an entity, which ends when the entity is deleted. */
public interface Attached {
    /** The link is to be closed, with this reason. */
    void lost(Refused why);
}
