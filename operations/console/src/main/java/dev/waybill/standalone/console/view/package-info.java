/** Templates, which escape all values, and the static files of the console. */
@NullMarked
package dev.waybill.standalone.console.view;

import org.jspecify.annotations.NullMarked;
