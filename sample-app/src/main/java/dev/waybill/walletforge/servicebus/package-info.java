/** The Service Bus: its address, and the names on it. */
@NullMarked
package dev.waybill.walletforge.servicebus;

import org.jspecify.annotations.NullMarked;
