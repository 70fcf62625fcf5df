/** Messages as people are shown them, by commands and by the console: their bodies and their journeys. */
@NullMarked
package dev.waybill.standalone.message;

import org.jspecify.annotations.NullMarked;
