/** Puts the parts of a run together, watches it to its end, and has it judged. */
@NullMarked
package dev.waybill.walletforge.demo.run;

import org.jspecify.annotations.NullMarked;
