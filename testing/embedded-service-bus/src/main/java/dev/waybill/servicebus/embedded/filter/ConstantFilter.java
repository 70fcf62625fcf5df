package dev.waybill.servicebus.embedded.filter;

enum ConstantFilter implements RuleFilter {
    ALL,
    NONE;

    @Override
    public boolean matches(FilterableMessage message) {
        return this == ALL;
    }
}
