/** Clients that speak nonsense, and one beside them that must not notice. */
package dev.waybill.servicebus.embedded.fuzz;
