/** The module's cases run against a namespace elsewhere, and what the report says of them. */
package dev.waybill.servicebus.embedded.live;
