/** How the console's pages are made: templates that escape whatever they print, and the files that pages load. */
@NullMarked
package dev.waybill.standalone.console.view;

import org.jspecify.annotations.NullMarked;
