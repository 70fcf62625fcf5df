package dev.waybill.servicebus.embedded.filter;

/** Parentheses may hold either kind, and only what follows them tells which one was meant. */
sealed interface Node permits Condition, Expression {}
