/** Payments: their form on the wire, and how they are accepted and booked. */
@NullMarked
package dev.waybill.walletforge.payment;

import org.jspecify.annotations.NullMarked;
