@NullMarked
package dev.waybill.walletforge.database;

import org.jspecify.annotations.NullMarked;
