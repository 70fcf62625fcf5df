package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.Refused;

/** A client's link that ends when its entity is deleted. */
public interface Attached {
    void lost(Refused why);
}
