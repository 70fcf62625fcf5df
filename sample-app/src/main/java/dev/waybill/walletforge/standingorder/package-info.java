/** Standing orders: transfers that come again, each by a message for later. */
@NullMarked
package dev.waybill.walletforge.standingorder;

import org.jspecify.annotations.NullMarked;
