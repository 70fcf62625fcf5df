@NullMarked
package dev.waybill.walletforge;

import org.jspecify.annotations.NullMarked;
