/** Where payments come from: a CSV file, or a load made from a seed. All of it is checked before anything is started. */
@NullMarked
package dev.waybill.walletforge.demo.input;

import org.jspecify.annotations.NullMarked;
