/** The JSON API with the actions of the pages; {@code openapi.json} describes it. */
@NullMarked
package dev.waybill.standalone.console.api;

import org.jspecify.annotations.NullMarked;
