/** For the kit itself: data sources that tell what is done through their connections. */
@NullMarked
package dev.waybill.test.jdbc;

import org.jspecify.annotations.NullMarked;
