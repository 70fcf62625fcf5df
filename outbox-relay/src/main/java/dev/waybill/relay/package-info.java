@NullMarked
package dev.waybill.relay;

import org.jspecify.annotations.NullMarked;
