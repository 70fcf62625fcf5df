/** The subject of the whole application: one payment, and its form on the wire. */
@NullMarked
package dev.waybill.walletforge.payment;

import org.jspecify.annotations.NullMarked;
