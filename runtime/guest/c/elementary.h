/* Functions of Math as V8 computes them. */
#ifndef AMLA_ELEMENTARY_H
#define AMLA_ELEMENTARY_H

#include <stddef.h>

double amla_exp(double x);
double amla_log(double x);
double amla_log10(double x);
double amla_sin(double x);
double amla_cos(double x);
double amla_cosh(double x);
double amla_tanh(double x);
double amla_asinh(double x);
double amla_acosh(double x);
double amla_pow(double x, double y);
double amla_hypot(const double *values, size_t count, double greatest);

#endif
