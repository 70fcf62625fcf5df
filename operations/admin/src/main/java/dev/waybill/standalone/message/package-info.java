/** Message bodies and traces as commands and the console show them. */
@NullMarked
package dev.waybill.standalone.message;

import org.jspecify.annotations.NullMarked;
