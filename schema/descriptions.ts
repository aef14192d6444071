import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';

/** Names of all types, fields, arguments and enum values that have no description, as `Type.field(argument)`. */
export function undescribed(schema: GraphQLSchema): string[] {
  const own = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  );
  return own.flatMap(describableParts).flatMap(([name, text]) => (text?.trim() ? [] : [name]));
}

type Part = readonly [name: string, description: string | null | undefined];

function describableParts(type: GraphQLNamedType): Part[] {
  const itself: Part = [type.name, type.description];
  if (isEnumType(type)) {
    return [
      itself,
      ...type.getValues().map((value): Part => [`${type.name}.${value.name}`, value.description]),
    ];
  }
  if (isInputObjectType(type)) {
    return [
      itself,
      ...Object.values(type.getFields()).map((it): Part => [`${type.name}.${it.name}`, it.description]),
    ];
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [itself];
  const fields = Object.values(type.getFields()).flatMap((field): Part[] => {
    const name = `${type.name}.${field.name}`;
    return [
      [name, field.description],
      ...field.args.map((arg): Part => [`${name}(${arg.name})`, arg.description]),
    ];
  });
  return [itself, ...fields];
}
