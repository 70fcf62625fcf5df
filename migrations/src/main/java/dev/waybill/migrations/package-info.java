/** Creates Waybill's tables and grants rights on them. Scripts and histories do not clash with the application's migrations. */
@NullMarked
package dev.waybill.migrations;

import org.jspecify.annotations.NullMarked;
