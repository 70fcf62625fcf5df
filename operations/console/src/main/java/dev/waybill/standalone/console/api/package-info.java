/**
 * The verbs of the pages for programs, as JSON. {@code openapi.json} among the resources describes them.
 */
@NullMarked
package dev.waybill.standalone.console.api;

import org.jspecify.annotations.NullMarked;
