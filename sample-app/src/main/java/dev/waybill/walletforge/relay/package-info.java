@NullMarked
package dev.waybill.walletforge.relay;

import org.jspecify.annotations.NullMarked;
