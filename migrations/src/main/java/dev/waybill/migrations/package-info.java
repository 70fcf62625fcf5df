@NullMarked
package dev.waybill.migrations;

import org.jspecify.annotations.NullMarked;
