/**
 * The pages about holds: the list, one hold, the edit of a held message, and changes of many holds.
 * A form carries a mark of the hold that it shows. The console refuses the change if the hold has changed since.
 */
@NullMarked
package dev.waybill.standalone.console.page.hold;

import org.jspecify.annotations.NullMarked;
