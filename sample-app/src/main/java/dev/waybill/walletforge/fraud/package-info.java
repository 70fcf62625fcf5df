/** The fraud desk, which sees large bookings alone. */
@NullMarked
package dev.waybill.walletforge.fraud;

import org.jspecify.annotations.NullMarked;
