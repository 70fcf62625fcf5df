package dev.waybill.standalone.topology.export;

/** A value that is known only where a template is used. */
sealed interface Expression {
    /** As Azure Resource Manager writes it, without brackets. */
    String arm();

    /** As Bicep writes it. */
    String bicep();

    /** A parameter. */
    record Given(String name) implements Expression {
        @Override
        public String arm() {
            return "parameters('" + name + "')";
        }

        @Override
        public String bicep() {
            return name;
        }
    }

    /** A parameter times a number. */
    record Times(String name, long factor) implements Expression {
        @Override
        public String arm() {
            return "mul(parameters('" + name + "'), " + factor + ")";
        }

        @Override
        public String bicep() {
            return name + " * " + factor;
        }
    }

    /** The namespace's name with something behind it. */
    record Named(String suffix) implements Expression {
        @Override
        public String arm() {
            return "format('{0}-" + suffix + "', parameters('namespaceName'))";
        }

        @Override
        public String bicep() {
            return "'${namespaceName}-" + suffix + "'";
        }
    }

    /** The id of a resource. */
    record ResourceId(Resource resource) implements Expression {
        @Override
        public String arm() {
            return resource.armId();
        }

        @Override
        public String bicep() {
            return resource.symbol() + ".id";
        }
    }

    /** A name that is the same for the same grant, and another one for each other. */
    record GrantName(Resource scope, String principal, String role) implements Expression {
        @Override
        public String arm() {
            return "guid(" + scope.armId() + ", parameters('" + principal + "'), '" + role + "')";
        }

        @Override
        public String bicep() {
            return "guid(" + scope.symbol() + ".id, " + principal + ", '" + role + "')";
        }
    }

    /** A role that Azure has built in. */
    record RoleDefinition(String id) implements Expression {
        @Override
        public String arm() {
            return "subscriptionResourceId('Microsoft.Authorization/roleDefinitions', '" + id + "')";
        }

        @Override
        public String bicep() {
            return arm();
        }
    }
}
