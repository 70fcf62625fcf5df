@NullMarked
package dev.waybill.embedded.postgres;

import org.jspecify.annotations.NullMarked;
