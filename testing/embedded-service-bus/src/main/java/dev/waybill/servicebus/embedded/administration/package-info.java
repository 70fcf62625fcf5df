/**
 * Administration over HTTP: entities as Atom entries in Service Bus's own XML. Requests are read and written on a thread
 * of the HTTP server; what they do to entities is done on the broker's.
 */
@NullMarked
package dev.waybill.servicebus.embedded.administration;

import org.jspecify.annotations.NullMarked;
