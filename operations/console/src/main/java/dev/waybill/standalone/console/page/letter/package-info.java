/**
 * The pages about dead letters: the list, one letter, its edit, changes of many letters, re-drive runs, and the
 * import.
 * The JSON API builds the same requests as these pages.
 */
@NullMarked
package dev.waybill.standalone.console.page.letter;

import org.jspecify.annotations.NullMarked;
