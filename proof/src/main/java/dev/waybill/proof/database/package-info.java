/** PostgreSQL, the tables of the business, and what an operator sends again. */
@NullMarked
package dev.waybill.proof.database;

import org.jspecify.annotations.NullMarked;
