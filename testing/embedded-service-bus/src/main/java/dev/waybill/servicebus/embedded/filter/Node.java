package dev.waybill.servicebus.embedded.filter;

/** Parentheses may hold either kind, and only the following token shows which. */
sealed interface Node permits Condition, Expression {}
