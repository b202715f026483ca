export { compareQuantities, formatQuantity, parseQuantity, type Quantity, quantityToWhole } from '../schema/quantity.ts'
